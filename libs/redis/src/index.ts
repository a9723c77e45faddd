export { RateLimiter, type RateRule, type RateVerdict } from './rate-limiter';
export {
  checkRedis,
  connectFailFast,
  connectPatient,
  evictionPolicy,
  isRedisUnavailable,
  waitUntilReady,
  type RedisClient,
} from './redis-client';
