import { setTimeout as sleep } from 'node:timers/promises';
import {
  jsonFinding,
  jsonStatus,
  jsonSummary,
  textFinding,
  textReconciled,
  textSummary,
  textWatching,
} from '../report/index.js';
import type { StillThere } from '../report/index.js';
import { monotonicNow } from '../events/index.js';
import { createOwnerOf } from '../owners/index.js';
import { startWatch } from '../watch/index.js';
import type { WatchOptions, WatchSummary } from '../watch/index.js';
import { createLossWarning, lossText } from './loss-warning.js';
import type { Session } from './session.js';
import { programWarnings, startedStatus } from './started-status.js';
import { startStatusLine } from './status-line.js';
import type { StatusLine } from './status-line.js';
import { createUpdateHolder } from './update-holder.js';
import { wallClockNow } from './wall-clock-now.js';

const patienceMs = 3_000;

export interface RunWatchOptions extends Pick<
  WatchOptions,
  'grace' | 'ownerGraces' | 'under' | 'hierarchies' | 'parents' | 'newOnly' | 'ringBytes'
> {
  readonly command: string;
  readonly json: boolean;
  /** For a human, once it watches. */
  readonly greeting: string;
}

export interface RunningWatch {
  /** Writes what is neither finding nor status, around the status line. */
  say(text: string): void;
  /** Ends the watch and prints the summary. */
  end(): Promise<WatchSummary>;
}

/** A watch whose findings are printed as they come. */
export function runWatch(session: Session, options: RunWatchOptions): RunningWatch {
  const { output, style, table, context } = session;
  const { command, json, greeting, ...watchOptions } = options;
  let statusLine: StatusLine | undefined;

  const print = (text: string) => {
    statusLine?.erase();
    output.write(text);
  };
  const say = (text: string) => {
    statusLine?.erase();
    process.stderr.write(text);
  };
  const loss = createLossWarning((lostPerCpu) => {
    if (json) print(`${jsonStatus({ state: 'lost', lostPerCpu }, wallClockNow())}\n`);
    else say(lossText(lostPerCpu, 'a leak may have been missed, or its origin'));
  });

  /** Open findings by their keys. */
  const stillThere = new Map<number, StillThere>();
  const updates = createUpdateHolder((finding) => {
    print(textFinding(finding, context, style));
  });
  const watch = startWatch({
    ...watchOptions,
    table,
    ownerOf: createOwnerOf(),
    onFinding: json
      ? (finding) => {
          print(`${jsonFinding(finding, context)}\n`);
        }
      : (finding) => {
          if (finding.state === 'closed') stillThere.delete(finding.key);
          else {
            const { path, finding: kind } = finding;
            stillThere.set(finding.key, { path, finding: kind });
          }
          updates.take(finding);
        },
    onLost: loss.lost,
    onReconciled: (reconciled) => {
      if (json)
        print(`${jsonStatus({ state: 'reconciled', ...reconciled }, wallClockNow())}\n`);
      else say(textReconciled(reconciled));
    },
  });
  const startedAt = monotonicNow();
  if (json) {
    const { grace, under } = options;
    const started = startedStatus(command, watch.programs, table, {
      grace,
      ...(under && { under }),
    });
    print(`${jsonStatus(started, wallClockNow())}\n`);
  } else {
    for (const text of [...programWarnings(watch.programs), greeting]) say(`${text}\n`);
    statusLine = startStatusLine(process.stderr, () =>
      textWatching(watch.counts(), watch.lost(), monotonicNow() - startedAt),
    );
  }

  return {
    say,
    end: async () => {
      // A loss that nobody has made good yet would make the summary wrong.
      const patience = new AbortController();
      await Promise.race([
        watch.reconciled(),
        sleep(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
      const summary = watch.close();
      updates.stop();
      loss.stop();
      statusLine?.stop();
      print(
        json
          ? `${jsonSummary(summary, wallClockNow())}\n`
          : textSummary(summary, style, stillThere.values()),
      );
      await output.flush();
      return summary;
    },
  };
}
