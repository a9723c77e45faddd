/** Files run side by side: each of jest's workers has a database of its own on the Redis that they share. */
const { REDIS_URL, JEST_WORKER_ID = '1' } = process.env;
if (REDIS_URL) process.env.REDIS_URL = `${REDIS_URL.replace(/\/\d*$/, '')}/${JEST_WORKER_ID}`;
