// Rejections' texts in English.
export const enUS = {
  'rejections.not_found': 'This rejected event does not exist.',
  'rejections.replayed_already': 'This event has already been sent again.',
  'rejections.incomplete': 'Only the beginning of this event was kept, so it can’t be sent again.',
  'rejections.too_long': 'An event sent from here can have at most {{most}} characters.',

  'rejections.title': 'Rejected events',
  'rejections.lead':
    'Usage events that were rejected. Fix them and send them again; until then they aren’t counted.',
  'rejections.search': 'Search event, source, subscription',
  'rejections.reasons': 'Open by reason',
  'rejections.not_kept':
    '{{count}} more arrived while the list was full and weren’t kept. Their senders were told why.',
  'rejections.own_notice': '{{count}} usage events were rejected and aren’t counted yet.',
  'rejections.own_notice_one': '{{count}} usage event was rejected and isn’t counted yet.',
  'rejections.own_see': 'See why',
  'rejections.empty': 'No rejected events',
  'rejections.empty_hint':
    'Every event that arrived was counted. Rejected events appear here with the reason.',
  'rejections.export_csv': 'Export as CSV',
  'rejections.export_xlsx': 'Export as Excel',

  'rejections.column_lastReceivedAt': 'Last received',
  'rejections.column_firstReceivedAt': 'First received',
  'rejections.column_times': 'Times',
  'rejections.column_state': 'Status',
  'rejections.column_code': 'Code',
  'rejections.column_reason': 'Reason',
  'rejections.column_source': 'Source',
  'rejections.column_eventId': 'Event',
  'rejections.column_type': 'Event type',
  'rejections.column_subject': 'Subscription',
  'rejections.column_organization': 'Organization',
  'rejections.column_key': 'API key',
  'rejections.column_raw': 'Original event',
  'rejections.state_open': 'Open',
  'rejections.state_replayed': 'Sent again',
  'rejections.state_dismissed': 'Dismissed',
  'rejections.no_id': 'Without id',

  'rejections.reason_event_malformed': 'Not a CloudEvent',
  'rejections.reason_subscription_unknown': 'Unknown subscription',
  'rejections.reason_sent_to_add_on': 'Sent to an add-on',
  'rejections.reason_subscription_not_running': 'Subscription not running',
  'rejections.reason_event_type_unknown': 'Wrong event type',
  'rejections.reason_time_in_future': 'Time in the future',
  'rejections.reason_value_no_decimal': 'Value isn’t a number',
  'rejections.reason_value_inexact': 'Value may be rounded',
  'rejections.reason_value_too_large': 'Value too large',
  'rejections.reason_value_negative': 'Negative value',
  'rejections.reason_only_adds': 'Own keys only add',
  'rejections.reason_property_too_long': 'Counted property too long',
  'rejections.reason_data_not_json': 'Data isn’t JSON',
  'rejections.reason_data_schema': 'Data doesn’t match the schema',
  'rejections.reason_conflict': 'Same ID, different data',
  'rejections.reason_too_old': 'Too old',
  'rejections.reason_credit_used_up': 'Prepaid credit used up',
  'rejections.reason_void_unnamed': 'Correction names no event',
  'rejections.reason_void_unknown': 'Correction of an unknown event',
  'rejections.reason_voided_already': 'Already corrected',
  'rejections.mend_event_malformed':
    'Add what is missing below (specversion "1.0", id, source, type) and send it again. Have the gateway fixed.',
  'rejections.mend_subscription_unknown':
    'Create the subscription, or put its ID into “subject”. Then all events with this reason can be sent again.',
  'rejections.mend_sent_to_add_on':
    'Put the ID of the subscription that the add-on belongs to into “subject”, then send it again.',
  'rejections.mend_subscription_not_running':
    'Check the event’s “time”, and when the subscription started, paused or ended.',
  'rejections.mend_event_type_unknown':
    'Put the type that the service’s meter counts into “type”, or use a service that counts this one.',
  'rejections.mend_time_in_future':
    'Correct the gateway’s clock. Once that time has passed, just send the event again.',
  'rejections.mend_value_no_decimal': 'Put a decimal such as "12.5" into “data.value”.',
  'rejections.mend_value_inexact': 'Send “data.value” as text, such as "12345678901234567.5".',
  'rejections.mend_value_too_large':
    'Keep “data.value” within 15 digits before the decimal point. Use a larger unit, or send several events.',
  'rejections.mend_value_negative': 'Send the level, which can’t be below 0.',
  'rejections.mend_only_adds':
    'Corrections, negative values and levels need a key of the platform. Dismiss this one.',
  'rejections.mend_property_too_long': 'Shorten the property’s value, for example to an ID.',
  'rejections.mend_data_not_json':
    'Put the data into “data” as a JSON object, with application/json or nothing as “datacontenttype”.',
  'rejections.mend_data_schema':
    'Correct the data to match the service’s schema, or have the schema changed. Then send it again.',
  'rejections.mend_conflict':
    'Another event with this source and ID was counted. Give this one a different “id”, or dismiss it.',
  'rejections.mend_credit_used_up':
    'Metering of this service stopped when its prepaid credit ran out. Buy credit or ask your provider for some, then send it again.',
  'rejections.mend_too_old': 'It’s too old to be counted. Dismiss it.',
  'rejections.mend_void_unnamed':
    'Name the event to correct in “data.id”, and its “data.source” if that is a different one.',
  'rejections.mend_void_unknown': 'Send the event that it corrects first, then send this one again.',
  'rejections.mend_voided_already': 'There’s nothing left to do. Dismiss it.',
  'rejections.mend': 'How to fix it',

  'rejections.event': 'Event (JSON)',
  'rejections.event_help': 'Correct what is wrong. It’s sent with the rights of its API key.',
  'rejections.no_json': 'This isn’t JSON: {{reason}}',
  'rejections.cut':
    'The event was too long to keep. Only its beginning is shown, and it can’t be sent again.',
  'rejections.as_came': 'Original',
  'rejections.repaired': 'What was sent instead',
  'rejections.reset': 'Reset',
  'rejections.replay': 'Send again',
  'rejections.replay_event': 'Send event again',
  'rejections.replay_mended': 'Send fixed event',
  'rejections.accepted': 'Accepted and counted.',
  'rejections.duplicate': 'It had already been counted. Nothing was added.',
  'rejections.rejected_again': 'Rejected again: {{message}}',
  'rejections.replay_all': 'Send all {{count}} again',
  'rejections.replay_all_title': 'Send {{count}} events again?',
  'rejections.replay_all_title_one': 'Send {{count}} event again?',
  'rejections.replay_all_what':
    'Each is sent again as it came. Valid ones are counted; the others stay here with the reason.',
  'rejections.replay_selected': 'Send again',
  'rejections.replay_done':
    '{{accepted}} accepted, {{duplicates}} already counted, {{rejected}} rejected again.',
  'rejections.replaying': 'Sending again',
  'rejections.replay_of': '{{done}} of {{count}}',
  'rejections.stop': 'Stop',
  'rejections.stopped': 'Stopped. What was sent stays counted. You can send the rest any time.',
  'rejections.dismiss': 'Dismiss',
  'rejections.dismiss_event': 'Dismiss event',
  'rejections.dismiss_confirm': 'Dismiss events',
  'rejections.dismiss_all': 'Dismiss all {{count}}',
  'rejections.dismiss_title': 'Dismiss {{count}} events?',
  'rejections.dismiss_title_one': 'Dismiss {{count}} event?',
  'rejections.dismiss_what': 'They aren’t counted.',
  'rejections.dismiss_kept':
    'They stay under “Dismissed” for a while and can still be sent again from there.',
  'rejections.dismissed': 'Dismissed {{count}} events',
  'rejections.dismissed_one': 'Dismissed {{count}} event',
} as const;
