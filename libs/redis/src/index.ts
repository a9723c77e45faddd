export { RateLimiter, type RateRule, type RateVerdict } from './rate-limiter';
export { checkRedis, evictionPolicy, isRedisUnavailable } from './redis-check';
export { connectFailFast, connectPatient, waitUntilReady, type RedisClient } from './redis-client';
export { publish, Subscriber } from './subscriber';
