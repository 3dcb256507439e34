export { jsonEvent } from './json-event.js';
export { jsonFinding } from './json-finding.js';
export type { ReportContext } from './report-context.js';
export { jsonStatus, type StartedStatus, type Status } from './status.js';
export { textReconciled } from './text-reconciled.js';
export { colourStyle, plainStyle, type Style } from './style.js';
export { jsonScan } from './json-scan.js';
export { textScan, textScanTree } from './text-scan.js';
export { jsonSummary, textSummary, type StillThere } from './summary.js';
export { createEventTable, type EventTable } from './text-event.js';
export { textFinding, textWatching } from './text-finding.js';
export {
  canWatch,
  jsonDoctor,
  textDoctor,
  type Check,
  type DoctorReport,
} from './doctor.js';
