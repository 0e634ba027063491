import type { Preparation, WireRequest } from '../exchange/exchange.ts';
import type { SetupCall } from '../profile/setup.ts';
import { type DescribeContext, describeWireRequest } from './describe-request.ts';
import { placeholderOf } from './redaction/redact.ts';
import type { PreparationReport, RequestReport } from './report.ts';

/**
 * Returns the changes and requests before an exchange for a report, with keys redacted. In the requests of `setup`,
 * placeholders such as `{{setup.id}}` replace the values of the created key.
 */
export function describePreparations(
  before: readonly Preparation[],
  context: DescribeContext,
): PreparationReport[] {
  return before.map((item, index) => {
    if (item.kind === 'request') {
      const { request, underWay, sameConnection } = item;
      return {
        kind: 'request',
        request: describeWireRequest(request, context),
        ...(underWay && { underWay }),
        ...(sameConnection && { sameConnection }),
      };
    }
    const { action, call, values } = item;
    const later = before.slice(index + 1).flatMap((other) => (other.kind === 'setup' ? [other.call] : []));
    const read = action === 'createKey' ? pointersOf(call, later) : {};
    const request = call.kind === 'request' ? describeSetupRequest(call, values, context) : null;
    return { kind: 'setup', action, request, values: read };
  });
}

/** Returns the pointers to the values that a call states, if a later call or request needs them. */
function pointersOf({ values }: SetupCall, later: readonly SetupCall[]): Record<string, string> {
  const text = JSON.stringify(later);
  const isNeeded = (name: string): boolean =>
    name === 'key' || text.includes(`{${name}}`) || text.includes(`{+${name}}`);
  return Object.fromEntries(Object.entries(values).filter(([name]) => isNeeded(name)));
}

function describeSetupRequest(
  call: SetupCall & { readonly kind: 'request' },
  values: Readonly<Record<string, string>>,
  context: DescribeContext,
): RequestReport {
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const request: WireRequest = {
    method: call.method,
    path: call.path,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...call.headers },
    body,
  };
  const fill = (text: string): string => fillPlaceholders(text, values);
  // The placeholders are filled in last, since redaction escapes text that looks like a placeholder.
  const shown = describeWireRequest(request, context);
  return {
    ...shown,
    url: fill(shown.url),
    body: shown.body && { ...shown.body, text: fill(shown.body.text) },
  };
}

/** Replaces `{name}` and `{+name}` as `setup` does: a value of digits becomes a number in a body. */
function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  const placeholder = (name: string): string =>
    placeholderOf(name === 'key' ? 'keys.created' : `setup.${name}`);
  const isKnown = (name: string): boolean => Object.hasOwn(values, name);
  return text
    .replace(/"\{\+(\w+)\}"/g, (whole, name: string) =>
      isKnown(name) && /^\d{1,15}$/.test(values[name] ?? '') ? placeholder(name) : whole,
    )
    .replace(/\{\+?(\w+)\}/g, (whole, name: string) => (isKnown(name) ? placeholder(name) : whole));
}
