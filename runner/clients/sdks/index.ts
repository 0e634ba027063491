import type { SdkDriver } from '../sdk.ts';
import { aiAnthropic, aiGoogle, aiOpenai } from './ai.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openai } from './openai.ts';

/** The drivers of all supported SDKs, in the order of the report. */
export const sdks: readonly SdkDriver[] = [openai, anthropic, google, aiOpenai, aiAnthropic, aiGoogle];
