package io.jobqueue.internal.kafka.consume;

import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Deserializes the values of a consumer, which notifies it of the id of the cluster
 * before the first one.
 */
final class ClusterId extends ByteArrayDeserializer implements ClusterResourceListener {

	private volatile String id = "";

	@Override
	public void onUpdate(ClusterResource cluster) {
		this.id = cluster.clusterId();
	}

	@Override
	public String toString() {
		return this.id;
	}

}
