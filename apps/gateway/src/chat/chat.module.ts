import { Module } from '@nestjs/common';
import { CallersModels } from '../llm-model-configs/callers-models';
import { AnswerService } from './answer.service';
import { BackgroundRunsController } from './background-runs.controller';
import { ChatController } from './chat.controller';
import { ChatService } from './chat.service';
import { DisconnectWatch } from './disconnect-watch';
import { EstimateController } from './estimate.controller';
import { EstimateService } from './estimate.service';
import { RunAcceptance } from './run-acceptance';

@Module({
  controllers: [ChatController, BackgroundRunsController, EstimateController],
  providers: [ChatService, CallersModels, RunAcceptance, AnswerService, DisconnectWatch, EstimateService],
})
export class ChatModule {}
