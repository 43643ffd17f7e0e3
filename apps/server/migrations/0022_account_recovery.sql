-- Recovering an account that someone else has used, or whose second factors are lost.
alter table login_directory
  -- When the tutor was asked to check what has access to the account; null once that is done.
  add column access_review_requested_at timestamptz,
  -- When two-step login is removed for a tutor who has lost every factor; null unless requested and not cancelled.
  add column mfa_removal_due_at timestamptz;
