/** This host, or whoever runs cgleak on it, lacks what cgleak needs. */
export class HostError extends Error {
  override readonly name = 'HostError';
}
