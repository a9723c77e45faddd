import { Module, type DynamicModule } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module';
import type { Settings } from '../settings';
import { AnswerService } from './answer.service';
import { ChatController } from './chat.controller';
import { ChatService } from './chat.service';
import { EstimateController } from './estimate.controller';
import { EstimateService } from './estimate.service';
import { RunAcceptance } from './run-acceptance';

@Module({})
export class ChatModule {
  static register(settings: Settings): DynamicModule {
    return {
      module: ChatModule,
      imports: [ProjectsModule.register(settings)],
      controllers: [ChatController, EstimateController],
      providers: [ChatService, RunAcceptance, AnswerService, EstimateService],
    };
  }
}
