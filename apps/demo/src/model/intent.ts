import type { Step } from './step';
import type { Turn } from './turn';

/** A kind of request: how to recognise it, how to go on with it, what to call a conversation about it. */
export interface Intent {
  readonly name: string;
  readonly title: { readonly en: string; readonly zh: string };
  /** Undefined when the question is of another kind. */
  step(turn: Turn): Step | undefined;
}

export interface IntentRules<Params> {
  readonly name: string;
  readonly title: { readonly en: string; readonly zh: string };
  recognise(turn: Turn): Params | undefined;
  plan(params: Params, turn: Turn): Step;
}

export function intent<Params>(rules: IntentRules<Params>): Intent {
  return {
    name: rules.name,
    title: rules.title,
    step: (turn) => {
      const params = rules.recognise(turn);
      return params === undefined ? undefined : rules.plan(params, turn);
    },
  };
}

export function answer(text: string): Step {
  return { kind: 'answer', text };
}
