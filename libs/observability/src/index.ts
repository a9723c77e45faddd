export { boot } from './boot';
export { createLogger, type Logger } from './logger';
export { LOGGER, LoggingModule } from './logging.module';
export { Logger as NestLogger } from 'nestjs-pino';
export { nestLines } from './nest-lines';
