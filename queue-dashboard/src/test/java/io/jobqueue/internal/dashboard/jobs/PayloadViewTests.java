package io.jobqueue.internal.dashboard.jobs;

import java.util.Base64;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobPayload;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Payloads as text.
 */
class PayloadViewTests {

	@Test
	void jsonIsIndentedTokenByToken() {
		assertThat(ofText("{\"a\":1.50,\"a\":[12345678901234567890123]}", 40).text())
			.isEqualTo("{\n  \"a\" : 1.50,\n  \"a\" : [ 12345678901234567890123 ]\n}");
	}

	@Test
	void otherTextStaysAsItIs() {
		assertThat(ofText("{\"a\": tru", 9)).isEqualTo(new PayloadView("{\"a\": tru", "9 characters"));
		String deep = "[".repeat(5_000);
		assertThat(ofText(deep, 5_000).text()).isEqualTo(deep);
	}

	/**
	 * The server counts characters, of which Java has two where it has one.
	 */
	@Test
	void beginningOfALargeTextIsNotIndented() {
		assertThat(ofText("{\"a\":\"xxx", 12_345))
			.isEqualTo(new PayloadView("{\"a\":\"xxx", "the first 9 of 12,345 characters"));
		assertThat(ofText("[\"\ud83d\ude00\"]", 5).note()).isEqualTo("5 characters");
	}

	@Test
	void bytesAreHexadecimal() {
		assertThat(ofBytes(new byte[] { 0, (byte) 0xff }, 2)).isEqualTo(new PayloadView("00 ff", "2 bytes, binary"));
		PayloadView large = ofBytes(new byte[10_000], 20_000);
		assertThat(large.note()).isEqualTo("the first 512 of 20,000 bytes, binary");
		assertThat(large.text()).hasSize(512 * 3 - 1);
	}

	@Test
	void hiddenPayloadHasItsSize() {
		assertThat(PayloadView.of(new JobPayload("******", false, 7), false))
			.isEqualTo(new PayloadView("******", "7 characters"));
	}

	private static PayloadView ofText(String text, long size) {
		return PayloadView.of(new JobPayload(text, false, size), true);
	}

	private static PayloadView ofBytes(byte[] bytes, long size) {
		return PayloadView.of(new JobPayload(Base64.getEncoder().encodeToString(bytes), true, size), true);
	}

}
