export { formatBytes } from './bytes.js';
export { countOf, formatCount, listOf } from './count.js';
export { DurationError, formatDuration, parseDuration } from './duration.js';
export { escapeText, escapeWord } from './escape-text.js';
export { jsonLine, jsonText, type JsonText } from './json-text.js';
export { nearest } from './nearest.js';
export { signalName } from './signal-name.js';
export { formatClock, formatDay, formatRfc3339 } from './time.js';
export { unescapeText } from './unescape-text.js';
