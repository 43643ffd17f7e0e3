import pg from 'pg';

const INT8 = 20;
const DATE = 1082;

/** int8 fits a number here (ids and minor units); a date stays the text that is on the wall. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number;
    if (oid === DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};
