import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, isLocalUser, type Identity } from '../auth/caller';
import { CallerGuard } from '../auth/caller.guard';
import { ApiError, unprocessable } from '../errors/api-error';
import { ApiErrors } from '../http/api-errors';
import { SKILLS_PATH } from '../http/paths';
import { SkillFolderError } from './skill-folder';
import { reloadedSkills, ReloadedSkills } from './skills-resource.dto';
import { SkillsService } from './skills.service';

@ApiTags('skills')
@UseGuards(CallerGuard)
@Controller(SKILLS_PATH)
export class SkillsController {
  constructor(private readonly skills: SkillsService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Load prompts and forbidden commands from SKILLS_DIR, for all workers',
    description: 'In force everywhere within two seconds. Where a file is bad, all stays as it was.',
  })
  @ApiOkResponse({ type: ReloadedSkills })
  @ApiErrors({ 403: 'The caller is no superadmin', 422: 'Bad files, each with its reason' })
  async reload(@Caller() caller: Identity): Promise<ReloadedSkills> {
    if (!caller.isSuperadmin && !isLocalUser(caller)) {
      throw new ApiError(403, 'Only administrators can reload skills');
    }
    try {
      return reloadedSkills(await this.skills.reload(caller.userId));
    } catch (error) {
      if (error instanceof SkillFolderError) throw unprocessable(`Skills are as before. ${error.message}`);
      throw error;
    }
  }
}
