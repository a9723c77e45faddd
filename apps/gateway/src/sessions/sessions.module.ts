import { Module, type DynamicModule } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module';
import type { Settings } from '../settings';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';

@Module({})
export class SessionsModule {
  static register(settings: Settings): DynamicModule {
    return {
      module: SessionsModule,
      imports: [ProjectsModule.register(settings)],
      controllers: [SessionsController],
      providers: [SessionsService],
    };
  }
}
