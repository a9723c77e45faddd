const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const LEVEL_NUMBERS = {
  ...Object.fromEntries(Object.entries(LEVELS).map(([number, name]) => [name, Number(number)])),
  silent: Infinity,
};
const LEVEL_COLOURS = { trace: 90, debug: 90, info: 32, warn: 33, error: 31, fatal: 31 };
const NAME_COLOURS = [36, 35, 34, 33, 32];
const HIDDEN_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'name', 'app', 'v', 'err']);
const MAX_FIELDS = 8;
const MAX_VALUE_CHARS = 160;

const paint = (code, text, colour) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

/** Device and model output may end up in a line; none of it may steer the terminal. */
const printable = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?');

function fieldText(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
}

function fields(record) {
  const shown = Object.entries(record)
    .filter(([key, value]) => !HIDDEN_FIELDS.has(key) && value !== null && value !== undefined)
    .slice(0, MAX_FIELDS)
    .map(([key, value]) => `${key}=${fieldText(value)}`);
  if (record.err?.message !== undefined) shown.push(`err=${fieldText(String(record.err.message))}`);
  return shown.join(' ');
}

/** The record of a pino line, or null for any other line. */
export function parseLogLine(line) {
  if (!line.startsWith('{')) return null;
  try {
    const record = JSON.parse(line);
    return typeof record.msg === 'string' ? record : null;
  } catch {
    return null;
  }
}

/** One line of a process's output as a person reads it: level, message, a few fields. Other lines as they are. */
export function humanLine(line, colour = false) {
  const record = parseLogLine(line);
  if (record === null) return printable(line);
  const level = LEVELS[record.level] ?? 'info';
  const text = [paint(LEVEL_COLOURS[level], level.padEnd(5), colour), printable(record.msg)];
  const rest = printable(fields(record));
  if (rest !== '') text.push(paint(90, rest, colour));
  return text.join(' ');
}

/** Whether a line is at least as grave as the level that the caller asked for; lines without a level always are. */
function isShown(line, levelName) {
  const { level } = parseLogLine(line) ?? {};
  return typeof level !== 'number' || level >= (LEVEL_NUMBERS[levelName] ?? 0);
}

/** A printer for the lines of the process `name`; the `index` picks its colour. */
export function linePrinter(name, index, { width = 14, colour = false, levelName, write }) {
  const prefix = paint(NAME_COLOURS[index % NAME_COLOURS.length], name.padEnd(width), colour);
  return (line) => {
    if (isShown(line, levelName)) write(`${prefix} ${humanLine(line, colour)}\n`);
  };
}
