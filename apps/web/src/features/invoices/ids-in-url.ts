/* Ids in the URL, such as '12-13-14'. */
export const formatIds = (ids: readonly number[]): string => ids.join('-');
export const parseIds = (text: string): number[] => text.split('-').map(Number);
