package io.jobqueue;

/**
 * The beginning of a payload as it is stored: what the {@link PayloadCodec} made of it.
 *
 * @param content the text, or the bytes in Base64: the first 10,000 characters or bytes
 * @param binary whether these are bytes
 * @param size the size of all of it, in characters or bytes
 */
public record JobPayload(String content, boolean binary, long size) {

	/**
	 * Return what is safe to print: payloads may be confidential.
	 */
	@Override
	public String toString() {
		return "JobPayload[binary=%s, size=%d]".formatted(this.binary, this.size);
	}

}
