import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { singleLine, timeZone } from './schema-fields.ts';

/* The specification sets no maximum lengths; these only reject oversized input. */
const name = z
  .string({ error: 'Name must be at least 2 characters' })
  .check(
    singleLine,
    z.trim(),
    z.minLength(2, 'Name must be at least 2 characters'),
    z.maxLength(100, 'Name must be at most 100 characters'),
  );

const emailAddress = (message: string) =>
  z.string({ error: message }).check(z.trim(), z.maxLength(254, message), z.email(message));

export const newPassword = z
  .string({ error: 'Password must be at least 8 characters' })
  .check(
    z.minLength(8, 'Password must be at least 8 characters'),
    z.maxLength(200, 'Password must be at most 200 characters'),
  );

export const LoginInput = z.object({
  username: z
    .string({ error: 'Username is required' })
    .check(
      z.trim(),
      z.minLength(1, 'Username is required'),
      z.maxLength(254, 'Invalid username or password'),
    ),
  password: z
    .string({ error: 'Password is required' })
    .check(
      z.minLength(1, 'Password is required'),
      z.maxLength(200, 'Invalid username or password'),
    ),
});
export type LoginInput = z.infer<typeof LoginInput>;

export const SignupInput = z.object({
  name,
  email: emailAddress('Please enter a valid email'),
  username: z
    .string({ error: 'Username must be at least 3 characters' })
    .check(
      z.trim(),
      z.minLength(3, 'Username must be at least 3 characters'),
      z.maxLength(50, 'Username must be at most 50 characters'),
      z.regex(
        /^[A-Za-z0-9._-]*$/,
        'Username can only contain letters, numbers, dots, underscores, and hyphens',
      ),
    ),
  password: newPassword,
  /** Sent by the browser; the server replaces an unknown zone with the default. */
  timeZone: z.optional(z.string().check(z.maxLength(60))),
});
export type SignupInput = z.infer<typeof SignupInput>;

export const ProfileInput = z.object({
  name,
  email: emailAddress('Please enter a valid email address'),
  timeZone: z.optional(timeZone),
});
export type ProfileInput = z.infer<typeof ProfileInput>;

/** The signed-in tutor. */
export const User = z.object({
  /** Random and stable; keeps the stored data of tutors who share a browser apart. */
  id: z.string(),
  name: z.string(),
  email: z.string(),
  username: z.string(),
  emailVerified: z.boolean(),
  /** A new address that has not been verified yet; `email` remains in use until it is. */
  pendingEmail: z.nullable(z.string()),
  timeZone: z.string(),
  trialEndsAt: z.string(),
  trialDaysLeft: z.number(),
  /** When the account will be deleted; null unless the tutor has requested deletion. */
  deletesAt: z.nullable(z.string()),
  /** Whether the tutor should check what has access to the account, for example after a password reset. */
  accessReviewDue: z.boolean(),
  /** When two-step login will be removed at the request of someone with access to the mailbox; normally null. */
  mfaRemovalAt: z.nullable(z.string()),
  /**
   * Today in the tutor's time zone. The browser compares it and `revision` with its cached data to detect stale data.
   */
  today: z.string(),
  revision: z.number(),
});
export type User = z.infer<typeof User>;

export const MessageReply = z.object({ message: z.string() });

/** The token of an emailed link. */
export const emailToken = z.string().check(z.minLength(1), z.maxLength(200));

export const ForgotPasswordInput = z.object({
  /** Email address or username. */
  account: z
    .string({ error: 'Please enter your email or username' })
    .check(
      z.trim(),
      z.minLength(1, 'Please enter your email or username'),
      z.maxLength(254, 'Please enter your email or username'),
    ),
});
export type ForgotPasswordInput = z.infer<typeof ForgotPasswordInput>;

export const ResetPasswordInput = z.object({ token: emailToken, password: newPassword });
export type ResetPasswordInput = z.infer<typeof ResetPasswordInput>;

export const NotificationSettings = z.object({
  emailNotifications: z.boolean(),
  lessonReminders: z.boolean(),
  paymentNotifications: z.boolean(),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/** What the sign-in pages need before a user is signed in. */
export const SignInOptions = z.object({
  demo: z.nullable(z.object({ username: z.string(), password: z.string() })),
  /** Whether this server offers Google sign-in. */
  google: z.boolean(),
  /** Whether passkeys are offered; they require a host name rather than an IP address. */
  passkeys: z.boolean(),
});
export type SignInOptions = z.infer<typeof SignInOptions>;

export const accounts = defineEndpoints({
  me: {
    method: 'GET',
    path: '/api/me',
    access: 'login',
    summary: 'The signed-in tutor',
    reply: User,
  },
  updateMe: {
    method: 'PUT',
    path: '/api/me',
    access: 'login',
    requires: 'recent-auth',
    summary: "Change the tutor's name, email address and time zone",
    body: ProfileInput,
    reply: User,
  },
  signup: {
    method: 'POST',
    path: '/api/signup',
    access: 'public',
    summary: 'Create an account',
    body: SignupInput,
    reply: User,
    status: 201,
  },
  login: {
    method: 'POST',
    path: '/api/login',
    access: 'public',
    summary: 'Log in with a username or email address',
    body: LoginInput,
    reply: User,
  },
  logout: {
    method: 'POST',
    path: '/api/logout',
    access: 'login',
    summary: 'Log out',
    reply: MessageReply,
  },
  signInOptions: {
    method: 'GET',
    path: '/api/sign-in-options',
    access: 'public',
    summary: 'The sign-in methods this server offers',
    reply: SignInOptions,
  },
  resendVerification: {
    method: 'POST',
    path: '/api/email-verification',
    access: 'login',
    summary: 'Send the verification email again',
    reply: MessageReply,
    status: 202,
  },
  confirmEmail: {
    method: 'POST',
    path: '/api/email-verification/confirm',
    access: 'public',
    summary: 'Confirm an email address with the emailed token',
    body: z.object({ token: emailToken }),
    reply: z.object({ email: z.string() }),
  },
  forgotPassword: {
    method: 'POST',
    path: '/api/password-reset',
    access: 'public',
    summary: 'Request a password reset link',
    body: ForgotPasswordInput,
    reply: MessageReply,
    status: 202,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/password-reset/confirm',
    access: 'public',
    summary: 'Set a new password with the emailed token',
    body: ResetPasswordInput,
    reply: MessageReply,
  },
  notificationSettings: {
    method: 'GET',
    path: '/api/notification-settings',
    access: 'login',
    summary: 'The three notification switches',
    reply: NotificationSettings,
  },
  updateNotificationSettings: {
    method: 'PUT',
    path: '/api/notification-settings',
    access: 'login',
    summary: 'Save the three notification switches',
    body: NotificationSettings,
    reply: NotificationSettings,
  },
});
