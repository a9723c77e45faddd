import { Module, type DynamicModule } from '@nestjs/common';
import { CallersModels } from '../llm-model-configs/callers-models';
import { RunsModule } from '../runs/runs.module';
import type { Settings } from '../settings';
import { AnswerService } from './answer.service';
import { ChatController } from './chat.controller';
import { ChatService, RUN_MAX_SECONDS } from './chat.service';
import { EstimateController } from './estimate.controller';
import { EstimateService } from './estimate.service';
import { RunAcceptance } from './run-acceptance';

@Module({})
export class ChatModule {
  static register(settings: Settings): DynamicModule {
    return {
      module: ChatModule,
      imports: [RunsModule],
      controllers: [ChatController, EstimateController],
      providers: [
        { provide: RUN_MAX_SECONDS, useValue: settings.RUN_MAX_SECONDS },
        ChatService,
        CallersModels,
        RunAcceptance,
        AnswerService,
        EstimateService,
      ],
    };
  }
}
