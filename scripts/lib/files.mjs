import { lstat } from 'node:fs/promises';

/** Whether there is anything under this name, also a link that points nowhere. */
export const exists = (path) =>
  lstat(path).then(
    () => true,
    () => false,
  );
