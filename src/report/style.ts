type Paint = (text: string) => string;

/** What emphasis looks like where the text goes. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
}

const asIs: Paint = (text) => text;

export const plainStyle: Style = {
  bold: asIs,
  dim: asIs,
  red: asIs,
  green: asIs,
  yellow: asIs,
};

/** For a terminal. */
export const colourStyle: Style = {
  bold: sequence(1, 22),
  dim: sequence(2, 22),
  red: sequence(31, 39),
  green: sequence(32, 39),
  yellow: sequence(33, 39),
};

function sequence(start: number, end: number): Paint {
  return (text) => `\x1b[${start}m${text}\x1b[${end}m`;
}
