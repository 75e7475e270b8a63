package io.jobqueue;

/**
 * The beginning of a stored payload, as its {@link PayloadCodec} has encoded it.
 *
 * @param content the text, or the bytes in Base64: the first 10,000 characters or bytes
 * @param binary whether the payload consists of bytes
 * @param size the size of the whole payload, in characters or bytes
 */
public record JobPayload(String content, boolean binary, long size) {

	/**
	 * Return a text for logs, without the payload, which may be confidential.
	 */
	@Override
	public String toString() {
		return "JobPayload[binary=%s, size=%s]".formatted(this.binary, this.size);
	}

}
