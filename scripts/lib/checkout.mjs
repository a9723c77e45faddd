import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json: every script works on it, whatever the caller's current folder is. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export const inCheckout = (...parts) => join(checkout, ...parts);
