import type { SkillSet } from '@copilot/contracts';
import { promptsOf, promptsWithoutTopology } from '@copilot/model-request';
import { LOGGER, type Logger } from '@copilot/observability';
import { SkillSetsRepository } from '@copilot/persistence';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { readSkillFolder, SkillFolderError } from './skill-folder';

/** Injection token of SKILLS_DIR; undefined when it is not set. */
export const SKILLS_DIR = Symbol('SKILLS_DIR');

export interface LoadedSkills {
  readonly set: SkillSet;
  /** What is allowed and yet probably a mistake. */
  readonly warnings: readonly string[];
}

/** Puts the operator's folder in force for all workers. */
@Injectable()
export class SkillsService implements OnApplicationBootstrap {
  constructor(
    private readonly sets: SkillSetsRepository,
    @Inject(SKILLS_DIR) private readonly folder: string | undefined,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A bad folder does not keep the gateway from starting: what was in force stays in force. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.reload(null);
    } catch (error) {
      if (!(error instanceof SkillFolderError)) throw error;
      this.logger.error(
        { badFiles: error.badFiles },
        'SKILLS_DIR is not loaded; the prompts stay as they were',
      );
    }
  }

  /** Undefined when there is no folder to load. Rejects with SkillFolderError, and then nothing has changed. */
  async reload(userId: string | null): Promise<LoadedSkills | undefined> {
    if (this.folder === undefined) return undefined;
    const set = await readSkillFolder(this.folder);
    const warnings = promptsWithoutTopology(promptsOf(set)).map(
      (mode) => `prompts/${mode}.md has no {{topology_info}}: the model is not told the topology`,
    );
    const isNew = await this.sets.load(set, userId);
    const { version } = set;
    if (isNew) this.logger.info({ version, prompts: Object.keys(set.prompts) }, 'skills loaded');
    for (const warning of warnings) this.logger.warn({ version }, warning);
    return { set, warnings };
  }
}
