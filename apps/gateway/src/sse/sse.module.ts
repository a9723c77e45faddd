import { Module, type DynamicModule } from '@nestjs/common';
import { OpenStreams } from './open-streams';
import { RequestDrain } from './request-drain';
import { SSE_TIMES, type SseTimes } from './sse-stream';

/** What all streams of the process share. */
@Module({})
export class SseModule {
  static register(times: SseTimes): DynamicModule {
    return {
      module: SseModule,
      global: true,
      providers: [OpenStreams, RequestDrain, { provide: SSE_TIMES, useValue: times }],
      exports: [OpenStreams, RequestDrain, SSE_TIMES],
    };
  }
}
