import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const least = {
  DATABASE_URL: 'postgres://localhost/lessonbook',
  APP_URL: 'https://lessonbook.example',
  SMTP_URL: 'smtp://localhost',
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
};
const account = {
  WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  WHATSAPP_TOKEN: 'a-token',
  WHATSAPP_APP_SECRET: '0123456789abcdef',
  WHATSAPP_VERIFY_TOKEN: 'a-word-of-our-own-choice',
};

test('WhatsApp is none or whole, and what is missing is named', () => {
  expect(readConfig(least).whatsApp).toBeNull();
  expect(readConfig({ ...least, ...account }).whatsApp).toMatchObject({
    url: 'https://graph.facebook.com/v25.0',
    phoneNumberId: '106540352242922',
    templateLanguage: 'en_GB',
  });
  for (const name of Object.keys(account)) {
    expect(() => readConfig({ ...least, ...account, [name]: undefined })).toThrow(
      `WhatsApp needs all of its settings or none: ${name} is missing`,
    );
  }
});
