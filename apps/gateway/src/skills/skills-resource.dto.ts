import { ApiProperty } from '@nestjs/swagger';
import type { LoadedSkills } from './skills.service';

/** What is in force after a reload; the field names are those of the reference server. */
export class ReloadedSkills {
  @ApiProperty({ description: 'false: there is no folder to load, see `message`' })
  readonly success!: boolean;

  @ApiProperty({ required: false, description: 'Why nothing was loaded' })
  readonly message?: string;

  @ApiProperty({ required: false, type: [String], description: 'Device skills; the service has none' })
  readonly skills?: readonly string[];

  @ApiProperty({ required: false, example: 0 })
  readonly skill_count?: number;

  @ApiProperty({ required: false, type: [String], description: 'Prompts of the folder; others are built in' })
  readonly prompts?: readonly string[];

  @ApiProperty({ required: false, example: 3 })
  readonly prompt_count?: number;

  @ApiProperty({ required: false, type: [String], description: 'Protocol skills; the service has none' })
  readonly protocols?: readonly string[];

  @ApiProperty({ required: false, example: 0 })
  readonly protocol_count?: number;

  @ApiProperty({
    required: false,
    nullable: true,
    type: Number,
    description: 'Patterns of the folder; null: it has none, the built-in list holds',
  })
  readonly forbidden_commands?: number | null;

  @ApiProperty({ required: false, example: '3f2b1c0a9d8e', description: 'Changes with the content' })
  readonly version?: string;

  @ApiProperty({ required: false, type: [String], description: 'What is probably a mistake' })
  readonly warnings?: readonly string[];
}

export function reloadedSkills(loaded: LoadedSkills | undefined): ReloadedSkills {
  if (loaded === undefined) {
    const message = 'There is no skills folder: set SKILLS_DIR on the gateway and start it again.';
    return { success: false, message };
  }
  const { prompts, forbiddenCommands, version } = loaded.set;
  const names = Object.keys(prompts);
  return {
    success: true,
    ...{ skills: [], skill_count: 0, prompts: names, prompt_count: names.length },
    ...{ protocols: [], protocol_count: 0, forbidden_commands: forbiddenCommands?.length ?? null, version },
    warnings: loaded.warnings,
  };
}
