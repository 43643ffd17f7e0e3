/** The only request that the WhatsApp fake accepts. */
export interface TemplateRequest {
  messaging_product: 'whatsapp';
  recipient_type: 'individual';
  to: string;
  type: 'template';
  template: {
    name: string;
    language: { code: string };
    components: TemplateComponent[];
  };
  biz_opaque_callback_data?: string;
}

interface TextParameter {
  type: 'text';
  text: string;
}

/** Only authentication templates have a button. */
type TemplateComponent =
  | { type: 'body'; parameters: TextParameter[] }
  | { type: 'button'; sub_type: 'url'; index: string; parameters: TextParameter[] };

/** Template texts by name, with placeholders such as {{1}}. */
export interface ApprovedTemplates {
  templates: Readonly<Record<string, string>>;
  /** Templates in the Authentication category, with a button that copies the code. */
  authenticationTemplates: Readonly<Record<string, string>>;
  language: string;
}

interface RequestError {
  code: number;
  details: string;
}

const TEXT_LIMIT = 1024;
const REFERENCE_LIMIT = 512;
const CODE_LIMIT = 15;

/** Returns the first error in a request, with Meta's error code. Stricter than Meta, which ignores some mistakes. */
export function validateRequest(raw: string, approved: ApprovedTemplates): RequestError | null {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(raw) as Record<string, unknown>;
  } catch {
    return { code: 100, details: 'not JSON' };
  }
  const keys = 'messaging_product recipient_type to type template biz_opaque_callback_data'.split(
    ' ',
  );
  const keyError = checkKeys(body, keys);
  if (keyError) return { code: 100, details: keyError };
  if (body['messaging_product'] !== 'whatsapp' || body['recipient_type'] !== 'individual') {
    return { code: 100, details: 'messaging_product or recipient_type' };
  }
  if (typeof body['to'] !== 'string' || !/^[1-9]\d{6,14}$/.test(body['to'])) {
    return { code: 131009, details: 'to must be digits with the country code' };
  }
  const reference = body['biz_opaque_callback_data'];
  if (typeof reference !== 'string' || reference.length > REFERENCE_LIMIT) {
    return { code: 100, details: 'biz_opaque_callback_data' };
  }
  if (body['type'] !== 'template') return { code: 131051, details: 'only templates' };
  return validateTemplate(body['template'] as Record<string, unknown>, approved);
}

function validateTemplate(
  template: Record<string, unknown>,
  approved: ApprovedTemplates,
): RequestError | null {
  const keyError = checkKeys(template, ['name', 'language', 'components']);
  if (keyError) return { code: 100, details: keyError };
  const { name, language, components } = template as unknown as TemplateRequest['template'];
  const authenticationText = approved.authenticationTemplates[name];
  const templateText = authenticationText ?? approved.templates[name];
  if (templateText === undefined || language.code !== approved.language) {
    return { code: 132001, details: 'the template does not exist in that language' };
  }
  const [body, ...others] = components;
  if (body?.type !== 'body') return { code: 100, details: 'components' };
  const expectedCount = new Set(templateText.match(/\{\{\d\}\}/g)).size;
  if (body.parameters.length !== expectedCount) {
    return { code: 132000, details: `expected ${expectedCount} parameters` };
  }
  let length = templateText.length;
  for (const parameter of body.parameters) {
    const parameterError = checkKeys(parameter, ['type', 'text']);
    if (parameterError || parameter.type !== 'text')
      return { code: 100, details: parameterError ?? 'type' };
    if (parameter.text === '') return { code: 131008, details: 'a parameter is empty' };
    if (/[\n\r\t]| {5}/.test(parameter.text)) {
      return { code: 132018, details: 'a parameter has a line break, a tab or too many spaces' };
    }
    length += parameter.text.length;
  }
  if (length > TEXT_LIMIT) return { code: 132005, details: 'the text is too long' };
  if (authenticationText !== undefined) return validateCode(body.parameters, others);
  return others.length > 0 ? { code: 100, details: 'components' } : null;
}

/** The code must be the only parameter of both the text and the button. Meta stores the button as a link (`url`). */
function validateCode(
  [code]: readonly TextParameter[],
  buttons: readonly TemplateComponent[],
): RequestError | null {
  const [button, ...others] = buttons;
  if (button?.type !== 'button' || others.length > 0) {
    return { code: 131008, details: 'the button of an authentication template is missing' };
  }
  const keyError = checkKeys(button, ['type', 'sub_type', 'index', 'parameters']);
  if (keyError) return { code: 100, details: keyError };
  if (button.sub_type !== 'url' || button.index !== '0') {
    return { code: 132018, details: 'button at index 0 must be of type url' };
  }
  const [parameter, ...more] = button.parameters;
  if (more.length > 0 || parameter?.type !== 'text' || parameter.text !== code?.text) {
    return { code: 132018, details: 'the button must have the code as its parameter' };
  }
  return parameter.text.length > CODE_LIMIT || !/^[\x21-\x7e]+$/.test(parameter.text)
    ? { code: 132018, details: 'the code is too long or is not plain text' }
    : null;
}

/** Returns an error text if the value is not an object or has an unknown key. */
function checkKeys(value: object | undefined, known: string[]): string | null {
  if (typeof value !== 'object' || value === null) return 'not an object';
  const key = Object.keys(value).find((name) => !known.includes(name));
  return key === undefined ? null : `unknown field ${key}`;
}
