/** The purpose of a key in a profile. */
export type KeyRole = 'valid' | 'deleted' | 'depleted' | 'foreign';

/** The format of times in the parameters of billing-type endpoints. */
export type TimeFormat = 'unix-seconds' | 'unix-millis' | 'iso-date' | 'iso-datetime';
