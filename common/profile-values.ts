/** The purposes of keys: the properties under `keys` in a profile. */
export const keyRoles = ['valid', 'deleted', 'depleted', 'foreign'] as const;

export type KeyRole = (typeof keyRoles)[number];

/**
 * The properties under `setup` in a profile. Each property describes how to create or delete a key, or change a
 * balance.
 */
export const setupActions = ['createKey', 'deleteKey', 'topUp', 'drain'] as const;

export type SetupAction = (typeof setupActions)[number];

/** The formats of times in the parameters of billing-type endpoints. */
export const timeFormats = ['unix-seconds', 'unix-millis', 'iso-date', 'iso-datetime'] as const;

export type TimeFormat = (typeof timeFormats)[number];
