package io.jobqueue.internal.relay;

/**
 * Connects relays to one kind of broker.
 */
public interface RelayConnector {

	/**
	 * Return the kind of the broker, as {@code relay.to} names it.
	 * @return the kind
	 */
	String kind();

	/**
	 * Check a relay and the settings of its broker, without a connection.
	 * @param relay the relay
	 * @return where its jobs go, not started
	 * @throws io.jobqueue.InvalidConfigurationException if the relay cannot work
	 */
	RelayTarget connect(Relay relay);

}
