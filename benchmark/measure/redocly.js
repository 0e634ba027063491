import { inRepository, runNode } from './process.js';

const command = inRepository('node_modules/@redocly/cli/bin/cli.js');

/** Variables that disable telemetry and the check for a newer version. */
const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/**
 * Runs a Redocly command until the command exits.
 * @param {readonly string[]} args
 * @param {Parameters<typeof runNode>[1]} [how]
 */
export const redocly = (args, how) => runNode([command, ...args], { ...how, env });
