import { jest } from '@jest/globals';

/** Real processes, stores and devices on a busy machine: long enough that only a hang reaches it. */
jest.setTimeout(120_000);
