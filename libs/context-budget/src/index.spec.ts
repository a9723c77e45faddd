import { describe, expect, it } from '@jest/globals';
import * as contextBudget from './index';

describe('the public face', () => {
  it('is this list', () => {
    expect(Object.keys(contextBudget).sort()).toEqual([
      'ENCODINGS',
      'MEDIA_TOKENS',
      'MESSAGE_OVERHEAD_TOKENS',
      'MessageCounter',
      'NOTHING_LEARNED',
      'NO_TOPOLOGY',
      'TOPOLOGY_PLACEHOLDER',
      'TokenCountError',
      'TokenCounter',
      'callCompletedLine',
      'contentText',
      'contextEventFigures',
      'contextLearningSchema',
      'contextLines',
      'countingLine',
      'fallbackHistory',
      'fitTopology',
      'inputBudget',
      'isNews',
      'learnFromCall',
      'learnFromOverflow',
      'learnedRatio',
      'limitMissingText',
      'outputReserve',
      'oversizedTokens',
      'prepareContext',
      'prepareContextAsync',
      'readLearning',
      'runNow',
      'runYielding',
      'summaryBudget',
      'summarySource',
      'tokenCounter',
      'toolJson',
      'unsummarized',
      'usedPercent',
    ]);
  });
});
