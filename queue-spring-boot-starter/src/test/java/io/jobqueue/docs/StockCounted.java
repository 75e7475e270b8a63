package io.jobqueue.docs;

/**
 * How much a shop has of a product.
 */
record StockCounted(String product, int pieces) {
}
