import type { Sdk } from '../sdk.ts';
import { aiAnthropic, aiGoogle, aiOpenai } from './ai.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';

/** Every SDK that can be driven, in the order of the report. */
export const sdks: readonly Sdk[] = [openai, anthropic, google, aiOpenai, aiAnthropic, aiGoogle];
