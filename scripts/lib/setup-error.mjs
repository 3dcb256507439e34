/**
 * What keeps the project from being set up, built or tested, told to the user in
 * place of a stack trace: a message that says what to do next, and the output of
 * the command that failed.
 */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {string} [output]
   */
  constructor(message, output = '') {
    super(message);
    this.name = 'SetupError';
    this.output = output;
  }
}
