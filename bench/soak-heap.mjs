import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Loaded into the processes of bench/soak: tells the bytes of their heaps, which cannot be seen from outside. */
const file = join(process.env.COPILOT_HEAP_FOLDER ?? '.', String(process.pid));
setInterval(() => writeFileSync(file, String(process.memoryUsage().heapUsed)), 5_000).unref();
