import { z } from 'zod';
import { readText } from './checkout';

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

export interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** The stages in order; the last one has no name. */
export function dockerfileStages(): Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const instruction of instructions(readText('Dockerfile'))) {
    if (instruction.name === 'FROM') {
      const [from = '', , name = ''] = instruction.rest.split(/\s+/);
      stages.push({ name, from, instructions: [] });
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

/** The instructions of a stage and of all that it is built on, the base first. */
export function inheritedInstructions(stages: readonly Stage[], name: string): Instruction[] {
  const stage = stages.find((each) => each.name === name);
  if (!stage) return [];
  return [...inheritedInstructions(stages, stage.from), ...stage.instructions];
}

export const argumentsOf = (from: readonly Instruction[], name: string): string[] =>
  from.filter((instruction) => instruction.name === name).map(({ rest }) => rest);

/** The words of an exec-form command; a shell-form one is an error. */
export function execForm(text: string): string[] {
  return z.array(z.string()).parse(JSON.parse(text));
}

function instructions(text: string): Instruction[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`not an instruction: ${line}`);
      return { name, rest };
    });
}
