export {
  checkRedis,
  connectFailFast,
  connectPatient,
  evictionPolicy,
  isRedisUnavailable,
  waitUntilReady,
  type RedisClient,
} from './redis-client';
