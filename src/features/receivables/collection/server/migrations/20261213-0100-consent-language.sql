-- A consent is stored as it was shown, also to readers of a language that comes as a pack.

alter table card_setup drop constraint card_setup_language_check;
alter table card_setup add constraint card_setup_language_check check (language ~ '^[A-Za-z]{2,12}$');
