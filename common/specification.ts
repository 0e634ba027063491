/** The value of the version header (sections 5 and 9). */
export const protocolVersion = '2023-06-01';
