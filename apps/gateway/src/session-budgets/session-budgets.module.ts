import { Module } from '@nestjs/common';
import { SessionBudgetsController } from './session-budgets.controller';

@Module({ controllers: [SessionBudgetsController] })
export class SessionBudgetsModule {}
