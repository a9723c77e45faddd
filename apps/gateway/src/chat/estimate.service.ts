import { withDeadline } from '@copilot/config';
import { readLearning } from '@copilot/context-budget';
import { modelSettingsSchema, type ModelSettings } from '@copilot/contracts';
import { readTopology } from '@copilot/gns3';
import { estimateRun, PAST_RUNS, pastRun } from '@copilot/limits';
import { expectedInputTokens, fitRequest, promptsOf, promptTopology } from '@copilot/model-request';
import { LOGGER, type Logger } from '@copilot/observability';
import {
  ConversationsRepository,
  RunsRepository,
  SkillSetsRepository,
  type Conversation,
} from '@copilot/persistence';
import { HumanMessage } from '@langchain/core/messages';
import { Inject, Injectable } from '@nestjs/common';
import type { Identity } from '../auth/caller';
import { unprocessable } from '../errors/api-error';
import { Gns3Clients } from '../gns3/gns3-clients';
import type { ChatRequestDto } from './chat-request.dto';
import { ChatService, type JudgedChat } from './chat.service';
import type { RunEstimateDto } from './estimate.dto';

/** Somebody waits for the figure; a lab that is slower than this is left out of it. */
const TOPOLOGY_PATIENCE_MS = 5_000;

/** Says what a message would take. Calls no model, makes no session and no run. */
@Injectable()
export class EstimateService {
  constructor(
    private readonly chat: ChatService,
    private readonly conversations: ConversationsRepository,
    private readonly runs: RunsRepository,
    private readonly skills: SkillSetsRepository,
    private readonly clients: Gns3Clients,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Rejects as the chat itself would, and with a 422 for a message that does not fit the model's window. */
  async estimate(projectId: string, caller: Identity, request: ChatRequestDto): Promise<RunEstimateDto> {
    const judged = await this.chat.judge(projectId, caller, request);
    const settings = settingsOf(judged);
    const [conversation, topology, pastRuns, skills] = await Promise.all([
      this.conversationOf(projectId, caller, request.session_id),
      this.topologyOf(projectId, caller, settings),
      this.runs.usageOfPast({ userId: caller.userId, model: judged.model }, PAST_RUNS),
      this.skills.current(),
    ]);
    const learned = readLearning(judged.modelConfig.contextLearning);
    const fitted = await fitRequest({
      messages: [...conversation.messages, new HumanMessage(request.message)],
      topology,
      summary: conversation.summary,
      mode: judged.copilotMode,
      prompts: promptsOf(skills),
      limits: judged.effective,
      settings,
      learned,
      closing: null,
    });
    if (!fitted.ok) throw unprocessable(fitted.error.message);
    const estimate = estimateRun({
      inputTokens: expectedInputTokens(fitted.report.total, learned),
      limits: judged.effective,
      pastRuns: pastRuns.map(pastRun),
      maxTokens: settings.max_tokens,
      prices: judged.prices,
    });
    return { ...estimate, notes: notesOn(judged, topology) };
  }

  private async conversationOf(
    projectId: string,
    { userId }: Identity,
    sessionId: string | null | undefined,
  ): Promise<Conversation> {
    if (sessionId === null || sessionId === undefined) return { messages: [], summary: undefined };
    return this.conversations.find({ projectId, userId, sessionId });
  }

  private async topologyOf(
    projectId: string,
    caller: Identity,
    settings: ModelSettings,
  ): Promise<string | null> {
    try {
      return await withDeadline(new AbortController().signal, TOPOLOGY_PATIENCE_MS, async (limit) =>
        promptTopology(await readTopology(this.clients.of(caller), projectId, limit), settings),
      );
    } catch (error) {
      this.logger.warn({ err: error, projectId }, 'the lab could not be read for an estimate');
      return null;
    }
  }
}

function settingsOf({ modelConfig }: JudgedChat): ModelSettings {
  const parsed = modelSettingsSchema.safeParse(modelConfig.settings);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unprocessable(
    `The model config '${modelConfig.name}' is not usable: ${issue?.path.join('.')}: ${issue?.message}`,
  );
}

function notesOn({ effective }: JudgedChat, topology: string | null): string[] {
  return [
    ...(topology === null ? ['The lab could not be read, so its topology is not in input_tokens.'] : []),
    ...(effective.auto_adjust_limits
      ? ['The planner call of auto_adjust_limits is not in the figures.']
      : []),
  ];
}
