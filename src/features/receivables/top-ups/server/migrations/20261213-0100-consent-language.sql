-- A consent is stored as it was shown, also to readers of a language that comes as a pack.

alter table card_top_up_consent drop constraint card_top_up_consent_language_check;
alter table card_top_up_consent add constraint card_top_up_consent_language_check check (language ~ '^[A-Za-z]{2,12}$');
