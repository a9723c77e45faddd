import { Module, type DynamicModule } from '@nestjs/common';
import { SKILLS_DIR, SkillsService } from './skills.service';
import { SkillsController } from './skills.controller';

@Module({})
export class SkillsModule {
  static register(folder: string | undefined): DynamicModule {
    return {
      module: SkillsModule,
      controllers: [SkillsController],
      providers: [SkillsService, { provide: SKILLS_DIR, useValue: folder }],
    };
  }
}
