package io.jobqueue.internal.dashboard.recurring;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Cron expressions in words.
 */
class CronWordsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "0 0 3 * * *|every day at 03:00", "30 5 23 * * ?|every day at 23:05:30",
			"0 0 7 * * MON-FRI|Monday to Friday at 07:00",
			"0 30 8,12 * * 1,3,7|Monday, Wednesday and Sunday at 08:30 and 12:30",
			"0 0 0 1 * *|on day 1 of the month at 00:00", "0 0 0 L * *|on the last day of the month at 00:00",
			"0 0 6 1 1,JUL *|on day 1 of the month in January and July at 06:00", "0 */15 * * * *|every 15 minutes",
			"0 0/5 9-17 * * mon-fri|every 5 minutes from 09:00 to 17:59, Monday to Friday", "0 * * * * *|every minute",
			"*/10 * * * * *|every 10 seconds", "* * * * * *|every second", "0 0 * * * *|every hour",
			"0 20 * * * *|every hour at minute 20", "0 0 */6 * * *|every 6 hours",
			"0 0 8-18 * * *|every hour from 08:00 to 18:00", "@daily|every day at 00:00", "@weekly|Sunday at 00:00",
			" 0  0 3 * * * |every day at 03:00" })
	void usualExpressionsHaveWords(String cron, String words) {
		assertThat(CronWords.of(cron)).hasValue(words);
	}

	@ParameterizedTest
	@ValueSource(strings = { "0 0 3 * *", "0 0 3 1 * MON", "0 0 3 15W * *", "0 0 3 * * MON#2", "0 1,2 * * * *",
			"5 */2 * * * *", "0 */2 */3 * * *", "0 */45 * * * *", "0 0 */5 * * *", "*/7 * * * * *", "0 */0 * * * *", "",
			"-", "0 0 3 * X *", "0 0 3 * * 1-X", "0 0 99999999999 * * *", "<script>" })
	void othersHaveNone(String cron) {
		assertThat(CronWords.of(cron)).isEmpty();
	}

	@Test
	void stepOfOneIsEach() {
		assertThat(CronWords.of("0 */1 * * * *")).hasValue("every minute");
	}

}
