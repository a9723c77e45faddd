import { Module, type DynamicModule } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { Logger } from './logger';

/** Injection token of the process's pino logger. */
export const LOGGER = Symbol('LOGGER');

/** Makes Nest and our own code write through one logger; requests are logged without headers and bodies. */
@Module({})
export class LoggingModule {
  static register(logger: Logger): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      imports: [
        LoggerModule.forRoot({
          pinoHttp: {
            logger,
            autoLogging: { ignore: (request) => request.url?.startsWith('/health') === true },
            serializers: {
              req: (request: { method: string; url: string; id: unknown }) => ({
                method: request.method,
                // The query may carry ?token=.
                path: request.url.split('?')[0],
                id: request.id,
              }),
              res: (response: { statusCode: number }) => ({ status: response.statusCode }),
            },
          },
        }),
      ],
      providers: [{ provide: LOGGER, useValue: logger }],
      exports: [LOGGER],
    };
  }
}
